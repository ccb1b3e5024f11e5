/** Sends a body and reports its progress, which `fetch` cannot do. */
import { splitCallName } from '#contract/call.ts';
import type { KnownCall } from '#contract/call-address.ts';
import { isProblem } from '#contract/problem.ts';
import { addressWith, CallError, type CallData } from './call.ts';

interface BytesOptions {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body: XMLHttpRequestBodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with the uploaded share, from 0 to 1. At 1, the server still has work to do. */
  readonly onProgress: (share: number) => void;
  readonly signal?: AbortSignal;
}

const failed = (status: number, detail: string) => new CallError({ title: 'Not uploaded', status, detail });

/** @throws CallError with the server's problem details, or with status 0 if the server is unreachable */
export function sendBytes<K extends KnownCall>(
  name: K,
  { body, headers = {}, onProgress, signal, ...place }: BytesOptions,
): Promise<CallData<K>> {
  const request = new XMLHttpRequest();
  request.open(splitCallName(name)[0], addressWith(name, place));
  for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  const answered = new Promise<CallData<K>>((resolve, reject) => {
    request.onerror = () =>
      reject(failed(0, 'We could not reach the site. Check your connection and try again.'));
    request.onabort = () => reject(failed(0, 'The upload was stopped.'));
    request.onload = () => {
      const answer: unknown = request.response;
      if (request.status === 201) resolve(answer as CallData<K>);
      else if (isProblem(answer)) reject(new CallError(answer));
      else reject(failed(request.status, 'Something went wrong. Please try again.'));
    };
  });
  signal?.addEventListener('abort', () => request.abort());
  request.send(body);
  return answered;
}
