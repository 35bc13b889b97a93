"""A small mail server on loopback, which takes, refuses, puts off or drops mails as it is told."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class MailServer:
    """`mails` are the texts that were taken. `answers` says what is answered at the end of a mail,
    by a word in its recipient's address: a line of SMTP, or nothing to hang up."""

    port: int
    mails: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)


@contextmanager
def mail_server() -> Iterator[MailServer]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._say("220 here")
            recipient = ""
            while line := self.rfile.readline().decode().strip():
                verb = line[:4].upper()
                if verb == "RCPT":
                    recipient = line
                if verb == "QUIT":
                    self._say("221 bye")
                    return
                if verb != "DATA":
                    self._say("250 ok")
                    continue
                self._say("354 go on")
                text = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    text += part
                told = [answer for word, answer in known.answers.items() if word in recipient]
                if told == [""]:
                    known.mails.append(text.decode())  # taken, but nobody hears of it
                    return
                if not told:
                    known.mails.append(text.decode())
                self._say(told[0] if told else "250 taken")

        def _say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        known = MailServer(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield known
        server.shutdown()
        thread.join()
