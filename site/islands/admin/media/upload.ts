/** Sends a picture to the library, and tells how much of it has gone: `fetch` does not say. */
import { callAddress } from '#contract/call.ts';
import { isProblem } from '#contract/problem.ts';
import { CallError, type CallData } from '#site/islands/shared/call.ts';

export type Media = CallData<'POST /media'>;

/** How long a busy server is left alone before the next try, in ms, and how often it is asked. */
const waitMs = 2_000;
const mostTries = 5;

const failed = (status: number, detail: string) => new CallError({ title: 'Not uploaded', status, detail });

function send(file: File, onProgress: (share: number) => void): Promise<Media> {
  const { promise, resolve, reject } = Promise.withResolvers<Media>();
  const form = new FormData();
  form.set('file', file);
  form.set('alt', '');
  const request = new XMLHttpRequest();
  request.open('POST', callAddress('POST /media'));
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  request.onerror = () =>
    reject(failed(0, 'We could not reach the site. Check your connection and upload the picture again.'));
  request.onload = () => {
    const answer: unknown = request.response;
    if (request.status === 201) resolve(answer as Media);
    else if (isProblem(answer)) reject(new CallError(answer));
    else reject(failed(request.status, 'Something went wrong. Please upload the picture again.'));
  };
  request.send(form);
  return promise;
}

/**
 * @param onProgress told how much has gone, from 0 to 1; what follows is the server's work
 * @throws CallError that says why the picture was not taken
 */
export async function uploadMedia(file: File, onProgress: (share: number) => void): Promise<Media> {
  for (let tries = 1; ; tries += 1)
    try {
      return await send(file, onProgress);
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 503 || tries === mostTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
}
