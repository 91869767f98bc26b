import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** `errors`: the beginning of the GraphQL errors in the body. Status 0: the connection broke. */
export type Answered = { readonly status: number; readonly errors: string; readonly saysWhenAgain: boolean }

/** The length is not known: a last piece ends the body. */
const inPieces = Number.POSITIVE_INFINITY

/** One request at a time, over a socket: a client library would need more of the machine than the service. */
export class Connection {
  private readonly socket: Socket
  private readonly onFree: (connection: Connection) => void
  private onEnd: (answered: Answered) => void = () => {}
  private status = 0
  private missing = 0
  private errors = ''
  private saysWhenAgain = false

  /** Opens so many, a few at a time: more would wait in the system's queue of the service's port. */
  static async open(url: URL, count: number, onFree: (connection: Connection) => void): Promise<readonly Connection[]> {
    const opened: Connection[] = []
    while (opened.length < count) {
      const group = Array.from({ length: Math.min(50, count - opened.length) }, () => new Connection(url, onFree))
      await Promise.all(group.map(({ socket }) => once(socket, 'connect')))
      opened.push(...group)
    }
    return opened
  }

  private constructor({ hostname, port }: URL, onFree: (connection: Connection) => void) {
    this.onFree = onFree
    this.socket = connect(Number(port), hostname)
    this.socket.setNoDelay(true)
    this.socket.on('data', (chunk: Buffer) => this.take(chunk))
    this.socket.on('error', () => this.end(0))
    this.socket.on('close', () => this.end(0))
  }

  send(bytes: Buffer, onEnd: (answered: Answered) => void): void {
    this.onEnd = onEnd
    this.socket.write(bytes)
  }

  private take(chunk: Buffer): void {
    if (this.missing === 0) {
      const end = chunk.indexOf('\r\n\r\n')
      const head = chunk.toString('latin1', 0, end).toLowerCase()
      this.status = Number(head.slice(9, 12))
      this.errors = ''
      this.saysWhenAgain = /\r\nretry-after: [1-9]/.test(head)
      const length = /content-length: (\d+)/.exec(head)?.[1]
      this.missing = length === undefined ? inPieces : Number(length) + end + 4
    }
    const at = chunk.indexOf('"errors"')
    if (at !== -1) this.errors = chunk.toString('utf8', at, at + 200)
    // JSON has no line break of this form.
    this.missing =
      this.missing === inPieces
        ? chunk.toString('latin1', Math.max(0, chunk.length - 5)) === '0\r\n\r\n'
          ? 0
          : inPieces
        : this.missing - chunk.length
    if (this.missing === 0) this.end(this.status)
  }

  private end(status: number): void {
    const { onEnd, errors, saysWhenAgain } = this
    this.onEnd = () => {}
    onEnd({ status, errors, saysWhenAgain })
    if (status > 0) this.onFree(this)
  }
}
