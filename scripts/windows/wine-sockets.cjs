// Loaded before each script under Wine, whose sockets take no time for keep-alive: with one, as fetch sets it, none connects.
const { TCP } = process.binding("tcp_wrap");
TCP.prototype.setKeepAlive = () => 0;
