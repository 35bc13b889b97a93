// Somebody is signed in here now: pages in other tabs may wait for that.

new BroadcastChannel("signed-in").postMessage(document.body.dataset.user);
