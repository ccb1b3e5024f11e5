/** Uploads a picture to the library. */
import { CallError, type CallData } from '#site/app/call.ts';
import { sendBytes } from '#site/app/send-bytes.ts';

export type Media = CallData<'POST /media'>;

/** The delay before a busy server is tried again, in ms, and the number of attempts. */
const waitMs = 2_000;
const maxTries = 5;

/** @param onProgress called with the uploaded share, from 0 to 1; at 1, the server still has work to do */
export async function uploadMedia(file: File, onProgress: (share: number) => void): Promise<Media> {
  const body = new FormData();
  body.set('file', file);
  body.set('alt', '');
  for (let tries = 1; ; tries += 1)
    try {
      return await sendBytes('POST /media', { body, onProgress });
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 503 || tries === maxTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
}
