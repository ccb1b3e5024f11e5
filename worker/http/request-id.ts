/** The id of a request, by which its log lines and its answer are found: Cloudflare's where there is one. */
export const requestIdOf = (request: Request): string => request.headers.get('CF-Ray') ?? crypto.randomUUID();
