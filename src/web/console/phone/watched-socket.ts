import { type Socket, WebSocketInterface } from 'jssip'

/** Whether it is the answer to a REGISTER that the server accepted. */
function isConfirmation(message: string): boolean {
  const [first = '', ...lines] = message.split('\r\n')
  const sequence = lines.find((line) => line.toLowerCase().startsWith('cseq:'))
  return first.startsWith('SIP/2.0 200 ') && sequence?.trim().endsWith(' REGISTER') === true
}

/** JsSIP's WebSocket, which also says when the server confirms the registration, and can be cut where a network change left it dead. */
export class WatchedSocket implements Socket {
  via_transport = 'WSS'
  readonly #inner: WebSocketInterface
  readonly #onConfirmed: () => void

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
    this.#inner.ondisconnect = (error: boolean, code?: number, reason?: string) => this.ondisconnect(error, code, reason)
    this.#inner.ondata = (data: unknown) => {
      if (typeof data === 'string' && isConfirmation(data)) this.#onConfirmed()
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
    this.ondisconnect(true, 1006, 'The network has changed')
  }

  // JsSIP replaces these.
  onconnect(): void {}
  ondisconnect(_error: boolean, _code?: number, _reason?: string): void {}
  ondata(_data: unknown): void {}
}
