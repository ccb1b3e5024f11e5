/** The texts and pictures of a section's items in a list, from the registry. */
import { linkToRecord } from '#contract/all-screens.ts';
import { editLinkOf, type FieldKind } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { Icon } from '#site/ui/icon.tsx';
import { can, valuesOf, type ContentRecord } from '../content-calls.ts';
import { checkAddress } from '../editor/address-check.ts';
import { recordSummary, recordTitle } from '../editor/section-texts.ts';
import type { ItemKind } from './item.tsx';

/** Returns the first field of a kind that has a value in the record. */
function valueOfKind(name: SectionName, record: ContentRecord, kind: FieldKind): string | undefined {
  const found = Object.entries(sectionNamed(name).fields).find(
    ([field, definition]) => definition.kind === kind && record[field] !== '',
  );
  return found && record[found[0]];
}

function pictureOf(name: SectionName, record: ContentRecord) {
  const image = valueOfKind(name, record, 'image');
  if (image !== undefined && checkAddress(image, 'image') === 'fine')
    return <img src={image} alt="" loading="lazy" />;
  const icon = valueOfKind(name, record, 'icon');
  return icon !== undefined && <Icon name={icon} />;
}

export function sectionItems(name: SectionName): ItemKind {
  const section = sectionNamed(name);
  const { numberField } = section;
  return {
    titleOf: (record) => recordTitle(name, record),
    summaryOf: (record) => recordSummary(name, record),
    textsOf: (record) => Object.values(valuesOf(name, record)),
    pictureOf: (record) => pictureOf(name, record),
    ...(numberField !== undefined && { numberOf: (record) => record[numberField] ?? '' }),
    edit: { linkTo: (id) => linkToRecord(name, id), label: editLinkOf(section) },
    canRemove: can(name, 'remove'),
    canReorder: can(name, 'reorder'),
  };
}
