/// <reference types="astro/client" />

interface ImportMetaEnv {
  readonly SITE_URL: string;
  readonly STATIC_BUILD: boolean;
}

declare namespace App {
  interface Locals {
    content: import('#contract/sections/index.ts').PublicContent;
  }
}
