/** The plugin ships no types; this is the part of it that eslint.config.mjs uses. */
declare module 'eslint-plugin-jsx-a11y-x' {
  const plugin: { readonly configs: { readonly strict: import('eslint').Linter.Config } };
  export default plugin;
}
