// While a message is typed: names to choose from after an @, as a list that keys and pointer reach.

const MOST = 8;
const TYPED = /(^|[^\w@.])@([^@\n]{0,40})$/u;

class Names {
  constructor(field, source) {
    this.field = field;
    this.names = [...source.querySelectorAll("option")].map((option) => option.value);
    this.list = document.createElement("ul");
    this.list.id = `${source.id}-list`;
    this.list.className = "name-list";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", source.dataset.label);
    this.list.hidden = true;
    field.after(this.list);
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.list.id);
    field.addEventListener("input", () => this.suggest());
    field.addEventListener("keydown", (event) => this.steer(event));
    field.addEventListener("blur", () => this.close());
    // before the field loses its focus
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest("li");
      if (option) this.choose(option);
    });
  }

  get typed() {
    const before = this.field.value.slice(0, this.field.selectionStart);
    return TYPED.exec(before)?.[2] ?? null;
  }

  get marked() {
    return this.list.querySelector("[aria-selected=true]");
  }

  suggest() {
    const typed = this.typed?.toLowerCase();
    const fitting =
      typed === undefined
        ? []
        : this.names.filter((name) => name.toLowerCase().startsWith(typed)).slice(0, MOST);
    this.list.replaceChildren(...fitting.map((name, index) => this.option(name, index)));
    this.list.hidden = fitting.length === 0;
    if (fitting.length) this.mark(this.list.firstElementChild);
    else this.field.removeAttribute("aria-activedescendant");
  }

  option(name, index) {
    const option = document.createElement("li");
    option.id = `${this.list.id}-${index}`;
    option.setAttribute("role", "option");
    option.dir = "auto";
    option.textContent = name;
    return option;
  }

  mark(option) {
    for (const other of this.list.children) {
      other.setAttribute("aria-selected", other === option);
    }
    this.field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  steer(event) {
    if (this.list.hidden) return;
    const { firstElementChild: first, lastElementChild: last } = this.list;
    const steps = {
      ArrowDown: () => this.mark(this.marked.nextElementSibling ?? first),
      ArrowUp: () => this.mark(this.marked.previousElementSibling ?? last),
      Enter: () => this.choose(this.marked),
      Escape: () => this.close(),
    };
    if (!(event.key in steps) || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    steps[event.key]();
  }

  choose(option) {
    const end = this.field.selectionStart;
    this.field.setRangeText(`${option.textContent} `, end - this.typed.length, end, "end");
    this.close();
  }

  close() {
    this.list.hidden = true;
    this.field.removeAttribute("aria-activedescendant");
  }
}

for (const field of document.querySelectorAll("textarea[data-mentions]")) {
  const source = document.getElementById(field.dataset.mentions);
  if (source) new Names(field, source);
}
