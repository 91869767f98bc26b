/** A style sheet as a text, minified by the build. */
declare module '*.css?inline' {
  const css: string
  export { css as default }
}
