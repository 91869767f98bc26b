/** JSON texts of about this size that are small to write and dear to read: wide, deep, long and repetitive ones. */
export type HostileShape = { readonly name: string; readonly text: (bytes: number) => string }

const fill = (bytes: number, piece: (index: number) => string): string => {
  const pieces: string[] = []
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const next = piece(index)
    pieces.push(next)
    size += next.length + 1
  }
  return pieces.join(',')
}

export const hostileShapes: readonly HostileShape[] = [
  { name: 'many keys', text: (bytes) => `{${fill(bytes, (index) => `"k${index}":0`)}}` },
  { name: 'many keys with nothing', text: (bytes) => `{${fill(bytes, (index) => `"${index}":null`)}}` },
  { name: 'one key again and again', text: (bytes) => `{${fill(bytes, () => '"a":1')}}` },
  { name: 'few long keys', text: (bytes) => `{${fill(bytes, (index) => `"${index}${'k'.repeat(bytes / 5)}":0`)}}` },
  { name: 'one long key', text: (bytes) => `{"${'k'.repeat(bytes)}":0}` },
  { name: 'many numbers', text: (bytes) => `[${fill(bytes, () => '1')}]` },
  { name: 'many objects', text: (bytes) => `[${fill(bytes, (index) => `{"a":${index}}`)}]` },
  { name: 'many empty objects', text: (bytes) => `[${fill(bytes, () => '{}')}]` },
  { name: 'many texts', text: (bytes) => `[${fill(bytes, (index) => `"t${index}"`)}]` },
  { name: 'deep lists', text: (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2) },
  { name: 'deep lists without an end', text: (bytes) => '['.repeat(bytes) },
  { name: 'deep objects', text: (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}` },
  { name: '190 levels, each wide', text: (bytes) => wideLevels(190, bytes) },
  { name: 'a long text', text: (bytes) => `"${'x'.repeat(bytes)}"` },
  { name: 'a long text of spaces', text: (bytes) => `"${' '.repeat(bytes)}x"` },
  { name: 'a long text of escapes', text: (bytes) => `"${'\\u0000'.repeat(bytes / 6)}"` },
  { name: 'a long text of lines', text: (bytes) => `"${'\\n'.repeat(bytes / 2)}"` },
  { name: 'a long text like an address', text: (bytes) => `"${'a@'.repeat(bytes / 2)}"` },
  { name: 'a long text like a phone number', text: (bytes) => `"+${'91 '.repeat(bytes / 3)}"` },
  { name: 'a long text like a time', text: (bytes) => `"2026-01-01T00:00:00.${'0'.repeat(bytes)}Z"` },
  { name: 'a long number', text: (bytes) => '9'.repeat(bytes) },
  { name: 'long numbers', text: (bytes) => `[${fill(bytes, (index) => `${index}${'9'.repeat(20)}`)}]` },
  { name: 'white space', text: (bytes) => `{${' '.repeat(bytes)}}` },
  { name: 'keys of the prototype', text: (bytes) => `{${fill(bytes, () => '"__proto__":{"constructor":{"prototype":{"x":1}}}')}}` },
]

function wideLevels(levels: number, bytes: number): string {
  const width = fill(bytes / levels, (index) => `"k${index}":0`)
  return `${`{${width},"in":`.repeat(levels)}1${'}'.repeat(levels)}`
}
