/**
 * A software authenticator, for tests of what the server refuses. It uses ES256, gives no attestation, and always
 * verifies the user unless told otherwise (https://www.w3.org/TR/webauthn-3/#sctn-authenticator-ops). It responds in
 * the format that the site's pages send.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { fromBase64Url, toBase64Url } from '#worker/http/base64url.ts';
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/passkeys.calls.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const sha256 = (data: string | Bytes): Bytes => new Uint8Array(createHash('sha256').update(data).digest());
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const concat = (...parts: readonly Bytes[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]));

type Cbor = number | string | Bytes | ReadonlyMap<number | string, Cbor>;

/** The head of a CBOR item: its major type and its length or value. https://www.rfc-editor.org/rfc/rfc8949#section-3 */
function head(major: number, value: number): Bytes {
  if (value < 24) return Uint8Array.of((major << 5) | value);
  if (value < 256) return Uint8Array.of((major << 5) | 24, value);
  return Uint8Array.of((major << 5) | 25, value >> 8, value & 255);
}

function encode(value: Cbor): Bytes {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return concat(head(3, utf8(value).length), utf8(value));
  if (value instanceof Uint8Array) return concat(head(2, value.length), value);
  return concat(head(5, value.size), ...Array.from(value, (pair) => concat(...pair.map(encode))));
}

/** The public key in COSE format. https://www.rfc-editor.org/rfc/rfc9053#section-7.1.1 */
function coseKey(publicKey: KeyObject): Bytes {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return encode(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, fromBase64Url(x)],
      [-3, fromBase64Url(y)],
    ]),
  );
}

/** How a response differs from that of an honest device. */
export interface Wrong {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly isVerified?: boolean;
  readonly crossOrigin?: boolean;
}

const flags = { present: 1, verified: 4, hasKey: 64 } as const;

/** One passkey, on a device that counts signatures. */
export class Authenticator {
  readonly credentialId = randomBytes(32).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle = '';
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  #clientData(type: string, challenge: string, { origin = this.#origin, crossOrigin = false }: Wrong): Bytes {
    return utf8(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  #authenticatorData(rpId: string, wrong: Wrong, key: Bytes = new Uint8Array()): Bytes {
    const { counter = (this.counter += 1), isVerified = true } = wrong;
    const count = Uint8Array.of(counter >> 24, counter >> 16, counter >> 8, counter);
    const bits = flags.present | (isVerified ? flags.verified : 0) | (key.length > 0 ? flags.hasKey : 0);
    return concat(sha256(wrong.rpId ?? rpId), Uint8Array.of(bits), count, key);
  }

  create({ challenge, rp, user }: CreationOptions, wrong: Wrong = {}): NewCredential {
    this.#userHandle = user.id;
    const id = fromBase64Url(this.credentialId);
    const key = concat(new Uint8Array(16), Uint8Array.of(0, id.length), id, coseKey(this.#keys.publicKey));
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', this.#authenticatorData(rp.id, wrong, key)],
    ]);
    return {
      id: this.credentialId,
      clientDataJSON: toBase64Url(this.#clientData('webauthn.create', challenge, wrong)),
      attestationObject: toBase64Url(encode(attestation)),
      transports: ['internal'],
    };
  }

  /** Presents the passkey. */
  show({ challenge, rpId }: RequestOptions, wrong: Wrong = {}): Assertion {
    const clientData = this.#clientData('webauthn.get', challenge, wrong);
    const data = this.#authenticatorData(rpId, wrong);
    const signature = sign('sha256', concat(data, sha256(clientData)), this.#keys.privateKey);
    return {
      id: this.credentialId,
      clientDataJSON: toBase64Url(clientData),
      authenticatorData: toBase64Url(data),
      signature: signature.toString('base64url'),
      userHandle: this.#userHandle,
    };
  }
}
