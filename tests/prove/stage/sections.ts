const begin = (name: string): string => `<!-- npm run prove -- ${name} -->`
const end = '<!-- end -->'

/** The page with the section of a prove script: in the place of its former one, or at the place of its name among the others. */
export function withSection(page: string, name: string, section: string): string {
  const block = `${begin(name)}\n\n${section.trim()}\n\n${end}\n`
  const former = page.indexOf(begin(name))
  if (former !== -1) return page.slice(0, former) + block + page.slice(endOfBlock(page, former))
  const others = [...page.matchAll(/^<!-- npm run prove -- (.+) -->$/gm)]
  const next = others.find(([, other = '']) => other > name)
  const last = others.at(-1)
  if (next) return `${page.slice(0, next.index)}${block}\n${page.slice(next.index)}`
  const at = last ? endOfBlock(page, last.index) : page.length
  return `${page.slice(0, at)}\n${block}${page.slice(at)}`
}

function endOfBlock(page: string, from: number): number {
  const at = page.indexOf(end, from)
  if (at === -1) throw new Error(`A section begins without its end: ${page.slice(from, from + 60)}`)
  return at + end.length + 1
}
