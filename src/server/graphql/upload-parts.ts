import { invalidInput } from '../../kernel/errors.ts'

const misnamed = invalidInput('map', 'must name every later part, and each of these must be a file')
/** More than any client writes before a file. */
const maxHeadBytes = 4_096
const disposition = /^content-disposition: *form-data; *name="([^"\\]+)"; *filename="(?:[^"\\]|\\[^"])*"(?:; *filename\*=[^\s;"]*)?$/i

/**
 * Checks the head of every part after the upload's head, piece by piece. Throws INVALID_INPUT for a part that is not a file with one of these
 * names: a server that takes the last `operations` would run another operation than the planned one.
 */
export function createPartGuard({ boundary, names }: { boundary: string; names: ReadonlySet<string> }): (piece: Buffer) => void {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  /** A possible beginning of a boundary, or a head that has not ended. */
  let open: Buffer = Buffer.from('\r\n')
  return (piece) => {
    const known = Buffer.concat([open, piece])
    let from = 0
    for (let at = known.indexOf(delimiter); at >= 0; at = known.indexOf(delimiter, from)) {
      const headAt = at + delimiter.length
      if (known.toString('latin1', headAt, headAt + 2) === '--') {
        from = headAt
        continue
      }
      const headEnd = known.indexOf('\r\n\r\n', headAt)
      if (headEnd >= 0) {
        if (!isFile(known.toString('utf8', headAt, headEnd), names)) throw misnamed
        from = headEnd + 2
      } else {
        if (known.length - headAt > maxHeadBytes) throw misnamed
        open = known.subarray(at)
        return
      }
    }
    open = known.subarray(Math.max(from, known.length - delimiter.length + 1))
  }
}

function isFile(head: string, names: ReadonlySet<string>): boolean {
  const [padding, ...lines] = head.split('\r\n')
  const dispositions = lines.filter((line) => /^content-disposition/i.test(line))
  const name = disposition.exec(dispositions[0] ?? '')?.[1]
  const isPlain = padding === '' && dispositions.length === 1 && lines.every((line) => /^[\w-]+:[^\r\n]*$/.test(line))
  return isPlain && name !== undefined && names.has(name)
}
