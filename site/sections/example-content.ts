/** Content for the tests of sections: one record of each section, in which every text is the name of its field. */
import type { FieldKind } from '#contract/field-kinds.ts';
import { sectionNamed, sectionNames, type Content, type RecordOf } from '#contract/sections/index.ts';

const exampleOfKind: Partial<Record<FieldKind, (name: string) => string>> = {
  link: (name) => `/${name}`,
  image: (name) => `/images/${name}.svg`,
  percent: () => '50',
};
const example = (name: string, kind: FieldKind = 'line'): string =>
  exampleOfKind[kind]?.(name) ?? `${name} text`;

/**
 * One record for each section. The cast is necessary because the fields of `Content` come from the registry.
 */
export function exampleContent(): Content {
  const entries = sectionNames.map((name) => {
    const fields = Object.entries(sectionNamed(name).fields);
    const values = fields.map(([field, { kind }]) => [field, example(field, kind)]);
    return [name, [{ _id: `${name}-id`, ...Object.fromEntries(values) }]];
  });
  return Object.fromEntries(entries) as Content;
}

/** A package with ten points, 'Point 1' to 'Point 10'. */
export function examplePackage(
  packageName: string,
  change: Partial<RecordOf<'pricingPackage'>> = {},
): RecordOf<'pricingPackage'> {
  return {
    _id: `${packageName}-id`,
    packageName,
    displayName: '',
    packagePrice: '499',
    billing: 'once',
    hidden: 'no',
    packageButtonText: 'Order',
    packageFor: '',
    packageTerms: '',
    packageReason: '',
    packagePointOne: 'Point 1',
    packagePointTwo: 'Point 2',
    packagePointThree: 'Point 3',
    packagePointFour: 'Point 4',
    packagePointFive: 'Point 5',
    packagePointSix: 'Point 6',
    packagePointSeven: 'Point 7',
    packagePointEight: 'Point 8',
    packagePointNine: 'Point 9',
    packagePointTen: 'Point 10',
    ...change,
  };
}
