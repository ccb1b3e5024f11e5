/**
 * How long a stand-in keeps an idle connection, in ms: longer than any client keeps one. If a client uses a connection
 * just as it closes, the request is lost.
 */
export const keepAliveMs = 120_000;
