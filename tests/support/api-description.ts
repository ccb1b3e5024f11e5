/**
 * Checks responses of the API against its own description. A status or a shape that `GET /api/openapi.json` does not
 * describe fails the test that gets it.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeApi } from '#worker/http/openapi.ts';
import { findCall } from '#worker/http/guard.ts';

interface Responses {
  readonly [status: string]: {
    readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  };
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: object;
}

const description = describeApi('https://www.example.test') as unknown as Description;
// Each process compiles these checks again, and runs most of them only a few times. Shorter code would cost more to
// compile than it saves.
const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } });
formats(ajv);
ajv.addSchema({ $id: 'api', components: description.components });

const validators = new Map<object, ValidateFunction>();

/** Compiles a schema of the description into a check. Its references point into the description. */
function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')) as object;
  const made = ajv.compile(whole);
  validators.set(schema, made);
  return made;
}

/** The response to check, and the call that it answers. */
interface ToldAnswer {
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** @throws if the description has no such response */
export function checkAnswer({ method, path, status, contentType, text }: ToldAnswer): void {
  const call = findCall(method, path);
  // Requests that are not calls, and responses without a body, have no description.
  if (!call || method === 'HEAD' || status === 304) return;
  const { responses } =
    description.paths[call.path.replace(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()] ?? {};
  const told = responses?.[String(status)];
  if (!told)
    throw new Error(`The description of ${call.name} does not tell of status ${String(status)}: ${text}`);
  const type = contentType?.split(';')[0] ?? '';
  const content = told.content?.[type];
  if (text === '') {
    if (told.content)
      throw new Error(`${call.name} answered ${String(status)} without the body that is described.`);
    return;
  }
  if (type === 'text/html' && !told.content) return;
  // Without a script, a browser gets a page where a script gets problem details.
  if (type === 'text/html' && call.accepts === 'form') return;
  if (!content)
    throw new Error(`The description of ${call.name} does not tell of ${type} with ${String(status)}.`);
  if (!content.schema) return;
  const isValid = validatorOf(content.schema);
  if (!isValid(JSON.parse(text)))
    throw new Error(
      `${call.name} answered ${String(status)} in another shape than described: ${ajv.errorsText(isValid.errors)}`,
    );
}
