import type { Context, Hono } from 'hono';
import { releaseCalls } from '#contract/releases.calls.ts';
import { counted } from '#contract/counted.ts';
import type { Release } from '#contract/releases.calls.ts';
import { setAuditDetails } from '../audit/audited-calls.ts';
import { callerOf, type AppEnv } from '../http/app.ts';
import { answerList, mount } from '../http/mount.ts';
import { setPublicationHeaders } from '../publishing/routes.ts';
import { revokePreviewLinks, makePreviewLink } from './preview-links.ts';
import { addChange, removeChange } from './release-changes.ts';
import { describeReleaseAs, publishRelease, scheduleRelease } from './release-publication.ts';
import { describeRelease } from './release-view.ts';
import {
  addRelease,
  listReleases,
  refuseUnlessSeen,
  removeRelease,
  renameRelease,
  type StoredRelease,
} from './releases.ts';

const describe = (c: Context<AppEnv>, id: string): Promise<Release> => describeRelease(c.env, c.var.db, id);

export function mountReleases(app: Hono<AppEnv>): void {
  mount(app, releaseCalls, {
    'GET /releases': async ({ c, query }) => answerList(c, await listReleases(c.var.db, query)),
    'POST /releases': async ({ c, account, body: { title } }) =>
      describe(c, await addRelease(c.var.db, account, title)),
    'GET /release/:id': ({ c, id }) => describe(c, id),
    'PUT /release/:id': async ({ c, account, id, body: { title } }) => {
      await renameRelease(c.var.db, account, id, title);
      return describe(c, id);
    },
    'DELETE /release/:id': async ({ c, account, id, ifMatch }) => {
      const { release, changes } = await removeRelease(c.var.db, account, id, ifMatch);
      const held = counted(changes.length, 'change');
      setAuditDetails(c, { details: `Deleted the release “${release.title}” with ${held}` });
    },
    'POST /release/:id/changes': async ({ c, account, id, body, ...headers }) =>
      (await addChange(callerOf(c, account), id, body, headers)) ?? null,
    'DELETE /release/:id/changes/:change': ({ c, account, id, change, ifMatch }) =>
      removeChange(callerOf(c, account), id, change, ifMatch),
    'POST /release/:id/publish': async ({ c, account, id, ifMatch }) => {
      const check = (stored: StoredRelease) => refuseUnlessSeen(stored, ifMatch);
      const published = await publishRelease(callerOf(c, account), id, { check });
      setPublicationHeaders(c, published);
      setAuditDetails(c, { details: describeReleaseAs('Published the release', id) });
      return { revision: published.revision };
    },
    'POST /release/:id/preview-link': async ({ c, account, id }) => {
      const url = await makePreviewLink(c.var.db, c.env, account, id);
      setAuditDetails(c, { details: describeReleaseAs('Created a preview link for the release', id) });
      return { url };
    },
    'DELETE /release/:id/preview-link': async ({ c, account, id }) => {
      await revokePreviewLinks(c.var.db, account, id);
      setAuditDetails(c, { details: describeReleaseAs('Revoked the preview links for the release', id) });
      return describe(c, id);
    },
    'PUT /release/:id/schedule': async ({ c, account, id, ifMatch, body: { at } }) => {
      await scheduleRelease(callerOf(c, account), id, { at, ifMatch });
      return describe(c, id);
    },
  });
}
