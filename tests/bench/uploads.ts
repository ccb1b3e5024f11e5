/** Files of orders: a hundred sent up at once, some cut off half-way; what the runtime takes for it, and whether all came whole. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request as openRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { maxFileBytes, maxOrderFiles, type OrderFile } from '#contract/conversations.ts';
import { placeOrder } from '../support/orders.ts';
import { registerVerified } from '../support/cast.ts';
import { below, ms, time, type Measure } from './figures.ts';
import { startDeployed } from './runtime.ts';

const pieceBytes = 64 * 1024;
const piece = randomBytes(pieceBytes);

/** Sizes from one byte to the largest, all of the largest with FULL. */
const bytesOf = (index: number): number =>
  process.env['FULL'] ? maxFileBytes : Math.max(1, Math.round((maxFileBytes * index) / (maxOrderFiles - 1)));

/** The content of a file: random bytes that begin with its number in each piece. */
function* contentOf(index: number): Generator<Uint8Array> {
  for (let left = bytesOf(index); left > 0; left -= pieceBytes) {
    const bytes = Uint8Array.from(piece.subarray(0, Math.min(left, pieceBytes)));
    bytes[0] = index;
    yield bytes;
  }
}

function hashOf(pieces: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  for (const bytes of pieces) hash.update(bytes);
  return hash.digest('hex');
}

const openUpload = (address: URL, headers: Record<string, string>, index: number) =>
  openRequest(address, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(bytesOf(index)),
      'Idempotency-Key': `upload-${index}`,
    },
  });

/** Sends a file up as it is made. @throws Error where the site does not take it */
async function sendUp(address: URL, headers: Record<string, string>, index: number): Promise<OrderFile> {
  const request = openUpload(address, headers, index);
  const answered = new Promise<string>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const texts: string[] = [];
      response.setEncoding('utf8').on('data', (text: string) => texts.push(text));
      response.on('end', () =>
        response.statusCode === 201
          ? resolve(texts.join(''))
          : reject(new Error(`An upload answered ${response.statusCode ?? 0}: ${texts.join('')}`)),
      );
    });
  });
  // A site that refuses a file answers before it has all of it.
  const sent = pipeline(Readable.from(contentOf(index)), request).catch(() => undefined);
  const [text] = await Promise.all([answered, sent]);
  return JSON.parse(text) as OrderFile;
}

/** Sends half of a file up and cuts the connection. */
async function cutOff(address: URL, headers: Record<string, string>, index: number): Promise<void> {
  const request = openUpload(address, headers, index);
  request.on('error', () => undefined);
  let sent = 0;
  for (const bytes of contentOf(index)) {
    if (sent >= bytesOf(index) / 2) break;
    sent += bytes.length;
    await new Promise((resolve) => request.write(bytes, resolve));
  }
  request.destroy();
}

/** What the processes of the runtime that this one has started take of memory, in bytes: resident, without files. */
async function residentBytes(): Promise<number> {
  let bytes = 0;
  for (const process_ of await readdir('/proc')) {
    if (!/^\d+$/.test(process_)) continue;
    const status = await readFile(`/proc/${process_}/status`, 'utf8').catch(() => '');
    const read = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
    if (read('Name') === 'workerd' && read('PPid') === String(process.pid))
      bytes += Number(read('RssAnon') ?? 0) * 1024;
  }
  return bytes;
}

/** The most memory that the runtime takes while something is done, in bytes. */
async function peakDuring(work: () => Promise<unknown>): Promise<number> {
  let peak = await residentBytes();
  const timer = setInterval(() => {
    void residentBytes().then((bytes) => {
      peak = Math.max(peak, bytes);
    });
  }, 100);
  await work();
  clearInterval(timer);
  return Math.max(peak, await residentBytes());
}

const mostTries = 20;

/** Does something until it succeeds: a site that is too busy right now is asked again, as a person does by 'Try again'. */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await attempt();
    } catch (error) {
      if (tries === mostTries) throw error;
      await setTimeout(1_000);
    }
}

/** Reads one file back. @throws Error where the site does not hand it out */
async function readBack(address: URL, headers: Record<string, string>): Promise<Uint8Array> {
  const answer = await fetch(address, { headers });
  if (!answer.ok) throw new Error(`A file answered ${answer.status}: ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Sends all files at once, each tenth of them twice: first half of it, then the whole. */
const sendAll = (addressOf: (index: number) => URL, headers: Record<string, string>) =>
  Promise.all(
    Array.from({ length: maxOrderFiles }, async (_, index) => {
      if (index % 10 === 0) await cutOff(addressOf(index), headers, index);
      return untilDone(() => sendUp(addressOf(index), headers, index));
    }),
  );

/** What the emulated bucket takes of memory for the same files, in bytes: a Worker that does nothing else hands them to it. */
async function bucketBytes(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-bucket-'));
  const script = `export default { async fetch(request, { FILES }) {
    await FILES.put(new URL(request.url).pathname, request.body);
    return Response.json({}, { status: 201 });
  } }`;
  const options = { modules: true, script, r2Buckets: ['FILES'], r2Persist: folder };
  const bare = new Miniflare(convertV4MiniflareOptions(options));
  try {
    const url = await bare.ready;
    const idle = await residentBytes();
    return (await peakDuring(() => sendAll((index) => new URL(`/${index}`, url), {}))) - idle;
  } finally {
    await bare.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
const mostMemory = 100 * 1024 * 1024;

export const uploads: Measure = {
  name: 'uploads',
  how: `${maxOrderFiles} files of one order at once, every tenth cut off half-way and sent again, then all read back; the emulated bucket lives in the same process, so what it takes is measured by a Worker that does nothing but hand it the same bytes`,
  take: async (tell) => {
    const ofBucket = await bucketBytes();
    const deployed = await startDeployed();
    try {
      const customer = await registerVerified(deployed.url);
      const order = await placeOrder(customer);
      const headers = { ...customer.cookies.header, Origin: deployed.url };
      const addressOf = (index: number) =>
        new URL(`/api/order/${order._id}/files?name=file-${index}.bin`, deployed.url);
      // What the first one costs is not the uploads'.
      await customer.get(`/api/order/${order._id}/messages`);
      const idle = await residentBytes();
      let files: readonly OrderFile[] = [];
      let took = 0;
      const peak = await peakDuring(async () => {
        took = await time(async () => {
          files = await sendAll(addressOf, headers);
        });
      });
      const total = Array.from({ length: maxOrderFiles }, (_, index) => bytesOf(index)).reduce(
        (a, b) => a + b,
      );
      tell({ of: `${maxOrderFiles} uploads at once, ${mib(total)} in all`, value: ms(took) });
      tell({ of: 'memory while idle', value: mib(idle) });
      tell({ of: 'memory that the uploads took beyond it, at most', value: mib(peak - idle) });
      tell({
        of: 'of that the emulated bucket, which a Worker alone before it takes too',
        value: mib(ofBucket),
      });
      tell(below('memory that is left for the Worker, at most', peak - idle - ofBucket, mostMemory, mib));
      let lost = 0;
      for (const [index, file] of files.entries()) {
        const address = new URL(`/api/order-file/${file._id}`, deployed.url);
        const bytes = await untilDone(() => readBack(address, customer.cookies.header));
        if (hashOf([bytes]) !== hashOf(contentOf(index))) lost += 1;
      }
      const kept = await untilDone(async () => {
        const { status, json } = await customer.get(`/api/order/${order._id}/messages`);
        if (status !== 200) throw new Error(`The messages answered ${status}.`);
        return (json as { readonly unsentFiles: readonly unknown[] }).unsentFiles.length;
      });
      tell(below('files lost, changed or kept twice', lost + Math.abs(kept - maxOrderFiles), 1, String));
    } finally {
      await deployed.stop();
    }
  },
};
