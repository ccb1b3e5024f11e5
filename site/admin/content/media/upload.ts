/** Sends a picture to the library. */
import { CallError, type CallData } from '#site/app/call.ts';
import { sendBytes } from '#site/app/send-bytes.ts';

export type Media = CallData<'POST /media'>;

/** How long a busy server is left alone before the next try, in ms, and how often it is asked. */
const waitMs = 2_000;
const mostTries = 5;

/**
 * @param onProgress told how much has gone, from 0 to 1; what follows is the server's work
 * @throws CallError that says why the picture was not taken
 */
export async function uploadMedia(file: File, onProgress: (share: number) => void): Promise<Media> {
  const body = new FormData();
  body.set('file', file);
  body.set('alt', '');
  for (let tries = 1; ; tries += 1)
    try {
      return await sendBytes('POST /media', { body, onProgress });
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 503 || tries === mostTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
}
