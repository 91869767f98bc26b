import { type Socket, WebSocketInterface } from 'jssip'
import { readSip } from './sip-message.ts'

/** Whether it is the answer to a REGISTER that the server accepted. */
function isConfirmation(message: string): boolean {
  const { status, sequence } = readSip(message)
  return status === 200 && sequence.endsWith(' REGISTER')
}

/** Says what a message from the server means for somebody who waits: true or false ends the waiting, null does not. */
type Meaning = (message: string) => boolean | null

/**
 * JsSIP's WebSocket, which also says when the server confirms the registration or the end of a call, and can be cut where a network change left
 * it dead.
 */
export class WatchedSocket implements Socket {
  via_transport = 'WSS'
  readonly #inner: WebSocketInterface
  readonly #onConfirmed: () => void
  /** A message, or null: the connection is gone. */
  readonly #waiting = new Set<(message: string | null) => void>()

  constructor(url: string, onConfirmed: () => void) {
    this.#inner = new WebSocketInterface(url)
    this.#onConfirmed = onConfirmed
  }

  get url(): string {
    return this.#inner.url
  }

  get sip_uri(): string {
    return this.#inner.sip_uri
  }

  connect(): void {
    this.#inner.onconnect = () => this.onconnect()
    this.#inner.ondisconnect = (error: boolean, code?: number, reason?: string) => this.#lose(error, code, reason)
    this.#inner.ondata = (data: unknown) => {
      if (typeof data === 'string') this.#read(data)
      this.ondata(data)
    }
    this.#inner.connect()
  }

  disconnect(): void {
    this.#inner.disconnect()
  }

  send(message: string): boolean {
    return this.#inner.send(message)
  }

  isConnected(): boolean {
    return this.#inner.isConnected()
  }

  isConnecting(): boolean {
    return this.#inner.isConnecting()
  }

  /** Ends the connection here, without the other side: JsSIP connects again after a second or two. */
  cut(): void {
    this.#inner.disconnect()
    this.#lose(true, 1006, 'The network has changed')
  }

  /** What the server says over this connection in time. False: nothing, or the connection is gone. */
  confirms(meaning: Meaning, withinMs: number): Promise<boolean> {
    if (!this.isConnected()) return Promise.resolve(false)
    return new Promise((resolve) => {
      const settle = (isConfirmed: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(read)
        resolve(isConfirmed)
      }
      const read = (message: string | null): void => {
        const isConfirmed = message === null ? false : meaning(message)
        if (isConfirmed !== null) settle(isConfirmed)
      }
      const timer = setTimeout(settle, withinMs, false)
      this.#waiting.add(read)
    })
  }

  #read(message: string): void {
    if (isConfirmation(message)) this.#onConfirmed()
    for (const read of this.#waiting) read(message)
  }

  #lose(error: boolean, code?: number, reason?: string): void {
    for (const read of this.#waiting) read(null)
    this.ondisconnect(error, code, reason)
  }

  // JsSIP replaces these.
  onconnect(): void {}
  ondisconnect(_error: boolean, _code?: number, _reason?: string): void {}
  ondata(_data: unknown): void {}
}
