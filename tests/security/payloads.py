"""Texts that run as a script, load something or send a form where a page takes them for markup.

Each calls `pwned` or asks for an address with `pwned` in it, so that either gives it away. Each
ends with a word that marks of direction turn round.
"""

_SCRIPTS = [
    "<script>pwned(1)</script>",
    "</script><script>pwned(1)</script>",
    "</title><script>pwned(1)</script>",
    "</textarea><script>pwned(1)</script>",
    "</style><script>pwned(1)</script>",
    "--><script>pwned(1)</script>",
    "<ScRiPt src=/pwned.js></sCrIpT>",
    "<script type=module src=/pwned.mjs></script>",
    "<scr<script>ipt>pwned(1)</scr</script>ipt>",
    "<svg><script>pwned(1)</script></svg>",
]
_HANDLERS = [
    "<img src=x onerror=pwned(1)>",
    "<img src=/pwned.png>",
    '"><img src=x onerror=pwned(1)>',
    "'><img src=x onerror=pwned(1)>",
    '" autofocus onfocus=pwned(1) x="',
    "' autofocus onfocus=pwned(1) x='",
    "` onmouseover=pwned(1) ",
    "<svg onload=pwned(1)>",
    "<svg/onload=pwned(1)//",
    "<details open ontoggle=pwned(1)>",
    "<input autofocus onfocus=pwned(1)>",
    "<video><source onerror=pwned(1)></video>",
    "<body onload=pwned(1)>",
    "<math><mtext><img src=x onerror=pwned(1)></mtext></math>",
]
_ADDRESSES = [
    "javascript:pwned(1)",
    "[a link](javascript:pwned(1))",
    "[a link](JaVaScRiPt&#58;pwned(1))",
    "![a picture](/pwned.png)",
    "<javascript:pwned(1)>",
    "<iframe src=/pwned></iframe>",
    "<iframe srcdoc='<script>parent.pwned(1)</script>'></iframe>",
    "<object data=/pwned></object>",
    "<link rel=stylesheet href=/pwned.css>",
    "<meta http-equiv=refresh content='0;url=/pwned'>",
    "<base href=/pwned/>",
    "<form id=f action=/pwned><button autofocus>",
]
_OF_LIBRARIES = [
    "<div hx-get=/pwned hx-trigger=load></div>",
    '" hx-get="/pwned" hx-trigger="load" x="',
    "<div hx-on:htmx:load='pwned(1)' hx-get=/pwned></div>",
    "{{constructor.constructor('pwned(1)')()}}${pwned(1)}",
]

_TURNED = " \u202enaturally\u202c"
PAYLOADS = [payload + _TURNED for payload in (*_SCRIPTS, *_HANDLERS, *_ADDRESSES, *_OF_LIBRARIES)]
