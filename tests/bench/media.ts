/** A photo's way to the visitors: how long from the start of its upload until it can be looked at, and until a page shows it. */
import { randomUUID } from 'node:crypto';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from '#dev/chromium.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';
import { kB, spread, time, type Measure } from './figures.ts';
import { startDeployed } from './runtime.ts';

const photoBytes = 5 * 1024 * 1024;
const uploads = 10;

/** A JPEG of 12 megapixels and about so many bytes, with the detail of a photo. */
async function makePhoto(): Promise<Uint8Array<ArrayBuffer>> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumArgs] });
  try {
    const page = await browser.newPage();
    const encoded = await page.evaluate(async (wanted) => {
      const canvas = new OffscreenCanvas(4_000, 3_000);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('There is no canvas.');
      for (let count = 0; count < 60_000; count += 1) {
        const size = 4 + Math.random() * 60;
        context.fillStyle = `hsl(${Math.random() * 360} 60% ${20 + Math.random() * 60}% / 0.6)`;
        context.fillRect(Math.random() * 4_000, Math.random() * 3_000, size, size);
      }
      let [low, high] = [0, 1];
      let best = await canvas.convertToBlob({ type: 'image/jpeg', quality: low });
      for (let tries = 0; tries < 8; tries += 1) {
        const quality = (low + high) / 2;
        const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
        if (blob.size > wanted) high = quality;
        else [low, best] = [quality, blob];
      }
      return Array.from(new Uint8Array(await best.arrayBuffer()));
    }, photoBytes);
    return Uint8Array.from(encoded);
  } finally {
    await browser.close();
  }
}

/** Uploads a photo; its last bytes, behind the end of the picture, make it another file each time. */
async function upload(administrator: Visitor, photo: Uint8Array<ArrayBuffer>): Promise<string> {
  const boundary = randomUUID();
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const parts = [head, photo, crypto.getRandomValues(new Uint8Array(16)), `\r\n--${boundary}--\r\n`];
  const body = new Uint8Array(await new Blob(parts).arrayBuffer());
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  const { status, text, json } = await administrator.post('/api/media', body, { headers });
  if (status !== 201) throw new Error(`An upload answered ${status}: ${text}`);
  return (json as { readonly path: string }).path;
}

export const media: Measure = {
  name: 'media',
  how: `a photo of 5 MiB and 12 megapixels uploaded ${uploads} times, and put on a page`,
  async take(tell) {
    const [{ url, stop }, photo] = [await startDeployed(), await makePhoto()];
    try {
      const administrator = await signInAdministrator(url);
      const [banner] = (await administrator.get('/api/banner')).json as readonly { readonly _id: string }[];
      const [seen, shown]: [number[], number[]] = [[], []];
      for (let run = 0; run < uploads; run += 1) {
        let path = '';
        const toSeen = await time(async () => {
          path = await upload(administrator, photo);
          await (await fetch(`${url}${path}`)).arrayBuffer();
        });
        const toShown = await time(async () => {
          await administrator.put(`/api/update-banner/${banner?._id ?? ''}`, { imageOne: path });
          while (!(await (await fetch(url)).text()).includes(path)) continue;
        });
        seen.push(toSeen);
        shown.push(toSeen + toShown);
      }
      tell({ of: 'the photo', value: kB(photo.length) });
      tell({ of: 'upload until it can be looked at', value: spread(seen, 0.5, 0.95) });
      tell({ of: 'upload, save and page that shows it', value: spread(shown, 0.5, 0.95) });
    } finally {
      await stop();
    }
  },
};
