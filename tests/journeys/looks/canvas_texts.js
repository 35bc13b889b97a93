// Notes every text that is drawn on a canvas with its box there: `canvas.texts`. Runs before the page.
(() => {
  const pen = CanvasRenderingContext2D.prototype;
  const { fillText, clearRect } = pen;
  pen.clearRect = function (x, y, width, height) {
    if (x <= 0 && y <= 0) this.canvas.texts = [];
    return clearRect.call(this, x, y, width, height);
  };
  pen.fillText = function (text, x, y, ...rest) {
    const size = this.measureText(text);
    const matrix = this.getTransform();
    const corners = [
      [x - size.actualBoundingBoxLeft, y - size.actualBoundingBoxAscent],
      [x + size.actualBoundingBoxRight, y + size.actualBoundingBoxDescent],
    ].map(([across, down]) => matrix.transformPoint(new DOMPoint(across, down)));
    const scale = this.canvas.width / (this.canvas.clientWidth || this.canvas.width);
    (this.canvas.texts ??= []).push({
      text: String(text),
      isTurned: matrix.b !== 0,
      left: Math.min(corners[0].x, corners[1].x) / scale,
      right: Math.max(corners[0].x, corners[1].x) / scale,
      top: Math.min(corners[0].y, corners[1].y) / scale,
      bottom: Math.max(corners[0].y, corners[1].y) / scale,
    });
    return fillText.call(this, text, x, y, ...rest);
  };
})();
