/** SQL's LIKE: `%` any text, `_` any character, `\` takes the next as it is. */
export function likeTest(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  const source = pattern.replaceAll(/\\?[\s\S]/gu, (token) => {
    if (token === '%') return '[\\s\\S]*?'
    return token === '_' ? '[\\s\\S]' : (/.$/su.exec(token)?.[0] ?? '').replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`)
  })
  const form = new RegExp(`^${source}$`, ignoreCase ? 'iu' : 'u')
  return (text) => form.test(text)
}
