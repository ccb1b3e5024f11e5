/**
 * Lets `fetch` reach copies that run in this process, at URLs where nothing listens. It follows redirects like a
 * browser, unless the request says otherwise.
 */
type Answer = (request: Request) => Promise<Response>;

declare global {
  var answersByOrigin: Map<string, Answer> | undefined;
}

/** The length of a body that is sent as a whole, in bytes. */
function lengthOf(body: RequestInit['body']): number | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body).length;
  return body instanceof Uint8Array ? body.length : undefined;
}

/** A request as it arrives over a connection: with the length of its body, unless the body is a stream. */
export function toRequest(input: RequestInfo | URL, init: RequestInit = {}): Request {
  const request = new Request(input, { ...init, ...(init.body && { duplex: 'half' }) });
  const length = lengthOf(init.body);
  if (length !== undefined) request.headers.set('Content-Length', String(length));
  return request;
}

/** Stored on the global object, because test files that share a process may load this module more than once. */
function installAnswers(): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  const fetchOutside = globalThis.fetch;
  const maxRedirects = 10;
  globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const answer = answers.get(new URL(address).origin);
    if (!answer) return fetchOutside(input, init);
    let request = toRequest(input, init);
    for (let redirects = 0; ; redirects += 1) {
      request.signal.throwIfAborted();
      const response = await answer(request);
      const location = response.headers.get('Location');
      if (location === null || request.redirect === 'manual' || redirects === maxRedirects) return response;
      const keepsMethod = response.status === 307 || response.status === 308 || request.method === 'HEAD';
      request = new Request(new URL(location, request.url), {
        method: keepsMethod ? request.method : 'GET',
        headers: request.headers,
      });
    }
  };
  return answers;
}

/**
 * Answers this process's requests to an origin.
 * @returns a function that stops answering
 */
export function answerOrigin(origin: string, answer: Answer): () => void {
  globalThis.answersByOrigin ??= installAnswers();
  const answers = globalThis.answersByOrigin;
  answers.set(origin, answer);
  return () => void answers.delete(origin);
}
