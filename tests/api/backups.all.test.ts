/** The nightly backup of a database that no single answer can hold. */
import { expect, onTestFinished, test } from 'vitest';
import { writeBatch } from '#worker/db/client.ts';
import { messages } from '#worker/inbox/schema.ts';
import { contentsOf, message, openBackups } from '../support/backups.ts';

test('A database that no single answer can hold is backed up over several runs, and restored as it was', async () => {
  const { database, runUntilMade, restore, close } = await openBackups();
  onTestFinished(close);
  const { db } = database;
  // Rows of very different size, one of them larger than a page of the dump.
  for (let batch = 0; batch < 6; batch += 1)
    await writeBatch(
      db,
      Array.from({ length: 100 }, (_, index) =>
        db.insert(messages).values(message(`${batch} ${index} 🙂 `.repeat(2 + (index % 7) * 500))),
      ),
    );
  await db.insert(messages).values(message('x'.repeat(3_000_000)));
  await expect(db.$client.execute('SELECT * FROM messages')).rejects.toThrow('RESPONSE_TOO_LARGE');
  const { runs, key } = await runUntilMade();
  expect(runs).toBeGreaterThan(5);
  const before = await contentsOf(db.$client);
  await restore(key, async (client) => expect(await contentsOf(client)).toEqual(before));
});
