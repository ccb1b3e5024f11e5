import { defineConfig } from 'drizzle-kit';

/** `npm run migrations` writes the SQL that brings a database from the last migration to the schema. */
export default defineConfig({ dialect: 'sqlite', schema: './migrations/schema.cjs', out: './migrations' });
