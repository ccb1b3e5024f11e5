import { describe, expect, test } from 'vitest';
import { changesBetween, labelsOf, mergeVersions } from './record-changes.ts';
import { titleOf } from './section-texts.ts';

const base = { phoneNumber: '1', emailAddress: 'a@b.example', location: 'Here' };
const labels = labelsOf('footerAddress');

describe('When two administrators edit one record', () => {
  test('changes to different fields are all kept and shown', () => {
    const conflict = mergeVersions(labels, {
      base,
      mine: { ...base, phoneNumber: '2' },
      theirs: { ...base, location: 'There' },
    });
    expect(conflict.merged).toEqual({ phoneNumber: '2', emailAddress: 'a@b.example', location: 'There' });
    expect(conflict.fields).toEqual([
      { field: 'phoneNumber', label: 'Phone', theirs: '1', mine: '2', changedByBoth: false },
      { field: 'location', label: 'Location', theirs: 'There', mine: 'Here', changedByBoth: false },
    ]);
  });

  test('a field that both changed keeps the text typed here and shows the other one', () => {
    const conflict = mergeVersions(labels, {
      base,
      mine: { ...base, location: 'Mine' },
      theirs: { ...base, location: 'Theirs' },
    });
    expect(conflict.merged['location']).toBe('Mine');
    expect(conflict.fields).toEqual([
      { field: 'location', label: 'Location', theirs: 'Theirs', mine: 'Mine', changedByBoth: true },
    ]);
  });

  test('the same change by both administrators is not a conflict', () => {
    const same = { ...base, location: 'There' };
    expect(mergeVersions(labels, { base, mine: same, theirs: same }).fields).toEqual([]);
  });
});

describe('The difference of two versions', () => {
  test('lists the fields that differ in the order of the form', () => {
    const after = { ...base, location: 'There', phoneNumber: '2' };
    expect(changesBetween('footerAddress', base, after).map(({ label }) => label)).toEqual([
      'Phone',
      'Location',
    ]);
  });

  test('contains every field of a new record', () => {
    expect(changesBetween('footerAddress', null, base)).toHaveLength(3);
    expect(changesBetween('footerAddress', base, null)).toHaveLength(3);
  });

  test('shows pictures as pictures, with their file names, and options with their titles', () => {
    const picture = '/media/019b76da-a800-7024-8000-000000000002/client-marcus-ccc9f28cc81a93e4b08607da.svg';
    const before = { image: picture, personName: 'Marcus Bell' };
    expect(changesBetween('testimonial', before, null)).toMatchObject([
      { field: 'image', isPicture: true, before: picture },
      { field: 'personName', isPicture: false, before: 'Marcus Bell' },
    ]);
    expect(changesBetween('pricingPackage', { billing: 'once' }, { billing: 'monthly' })).toMatchObject([
      { before: 'Once', after: 'Every month, until the customer cancels' },
    ]);
    expect(titleOf('logo', picture)).toBe('client-marcus.svg');
    expect(titleOf('testimonial', 'Marcus Bell')).toBe('Marcus Bell');
    expect(titleOf('searchText', '/')).toBe('Landing page');
  });
});
