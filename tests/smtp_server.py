"""A small mail server on loopback. It takes mails, or refuses them, puts them off or hangs up."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default


@dataclass
class MailServer:
    """`answers` maps a word in the address of a mail's recipient to the line that the server
    answers to it, or to nothing, where it takes the mail and hangs up."""

    port: int
    mails: list[EmailMessage] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)

    def answer_to(self, recipient: str) -> str | None:
        return next((line for word, line in self.answers.items() if word in recipient), None)


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """A server that runs as long as the block."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._say("220 ready")
            answer: str | None = None
            while line := self.rfile.readline().decode().strip():
                verb = line[:4].upper()
                if verb == "RCPT" and (answer := running.answer_to(line)):
                    self._say(answer)
                elif verb == "DATA":
                    self._say("354 go on")
                    self._take_mail()
                    if answer == "":
                        return
                    self._say("250 taken")
                elif verb == "QUIT":
                    self._say("221 bye")
                    return
                else:
                    self._say("250 ok")

        def _take_mail(self) -> None:
            text = b"".join(iter(self.rfile.readline, b".\r\n"))
            message = message_from_bytes(text, _class=EmailMessage, policy=default)
            assert isinstance(message, EmailMessage)
            running.mails.append(message)

        def _say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        running = MailServer(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield running
        server.shutdown()
        thread.join()
