import { UA } from 'jssip'
import type { IncomingAckEvent, IncomingEvent, OutgoingAckEvent, OutgoingEvent } from 'jssip/lib/RTCSession'
import type { RTCSessionEvent } from 'jssip/lib/UA'
import { microphoneConstraints } from './devices.ts'
import { forgetDialog, keepDialog, keepMuted, readKeptDialog } from './kept-dialog.ts'
import { takeOwnCall } from './own-call.ts'
import { changePhone, changePhoneCall, type PhoneCommands, type PhoneLoss, phoneStore } from './phone-state.ts'
import { playRemote } from './remote-audio.ts'
import { dialogOfAck, dialogOfResponse } from './sip-dialog.ts'
import { confirmsBye, readSip } from './sip-message.ts'
import { WatchedSocket } from './watched-socket.ts'

export type SipAccount = { readonly uri: string; readonly username: string; readonly password: string; readonly wsUrl: string }
type Session = ReturnType<UA['call']>

/** The registration is renewed this often, so that what is shown is true. */
const renewMs = 4_000
/** Without a confirmation for so long the connection counts as dead. */
const staleMs = 9_000
/** After a reload the page says by then what happens to the call, and the server has answered by then whether it gives it back. */
const returnMs = 5_000
/** A server answers a BYE at once. After so long the end of the call counts as not confirmed. */
const endMs = 3_000
/** How often the phone asks for one call that the network does not let it ask for: each time it is registered again. */
const maxAsks = 10
/** Why the phone has not asked, by JsSIP's cause. It says Canceled when the connection breaks. */
const askAgain: Readonly<Record<string, PhoneLoss>> = { Canceled: 'WAITING', 'User Denied Media Access': 'MICROPHONE_RELOAD' }

/** The phone of the tab that leads: registered at the SIP server, with at most one call. */
export class SipPhone {
  readonly commands: PhoneCommands
  readonly #ua: UA
  readonly #socket: WatchedSocket
  readonly #ending = new AbortController()
  #session: Session | null = null
  /** The session that was answered: it ends with a BYE. */
  #accepted: Session | null = null
  #staleTimer: ReturnType<typeof setTimeout> | undefined
  #renewTimer: ReturnType<typeof setTimeout> | undefined
  #hasLostSocket = false
  #confirmedAt = 0
  #asks = 0
  #isReleased = false

  constructor({ uri, username, password, wsUrl }: SipAccount) {
    this.#socket = new WatchedSocket(wsUrl, () => this.#confirm())
    this.#ua = new UA({
      sockets: [this.#socket],
      uri,
      authorization_user: username,
      password,
      register_expires: 120,
      session_timers: false,
      connection_recovery_min_interval: 1,
      connection_recovery_max_interval: 2,
    })
    this.commands = {
      answer: () => this.#answer(),
      hangUp: () => this.#hangUp(),
      setMuted: (isMuted) => this.#setMuted(isMuted),
      sendTone: (tone) => this.#session?.sendDTMF(tone),
      retry: () => this.#retry(),
      release: () => this.#release(),
    }
    this.#listen()
    this.#ua.start()
  }

  /** The tab no longer leads, or the person signed out. A call ends. */
  stop(): void {
    this.#ending.abort()
    clearTimeout(this.#staleTimer)
    forgetDialog()
    // What happens to the call from here on concerns nobody: the next person must not read of it.
    this.#session = null
    this.#ua.stop()
    playRemote(null)
    changePhone({ call: null, loss: null })
  }

  #listen(): void {
    const ua = this.#ua
    ua.on('disconnected', () => {
      this.#hasLostSocket = true
      this.#unregister('LOST')
      this.#endRinging()
    })
    ua.on('unregistered', () => this.#unregister('LOST'))
    ua.on('registrationFailed', ({ response }) => {
      this.#unregister(isRefusal(response) ? 'REFUSED' : 'LOST')
      this.#renewSoon()
    })
    ua.on('newRTCSession', ({ originator, session, request }: RTCSessionEvent) => {
      const origin: string = originator
      if (origin === 'remote') this.#receive(session, request.from.uri)
    })
    const { signal } = this.#ending
    addEventListener('online', () => this.#socket.cut(), { signal })
    const returnTimer = setTimeout(() => this.#sayWaiting(), returnMs)
    signal.addEventListener('abort', () => {
      clearTimeout(this.#renewTimer)
      clearTimeout(returnTimer)
    })
  }

  /** A call that rings cannot be answered over another connection, and its end would not be heard. One that is being answered is lost. */
  #endRinging(): void {
    const phase = phoneStore.get().call?.phase
    // After `stop` the call in the store is another phone's.
    if (!this.#session || (phase !== 'RINGING' && phase !== 'CONNECTING')) return
    this.#terminate(this.#session)
    if (phase === 'CONNECTING') changePhone({ loss: 'NETWORK' })
  }

  #unregister(registration: 'LOST' | 'REFUSED'): void {
    if (!this.#ending.signal.aborted && !this.#isReleased) changePhone({ registration })
  }

  #confirm(): void {
    if (this.#ending.signal.aborted || this.#isReleased) return
    this.#confirmedAt = Date.now()
    clearTimeout(this.#staleTimer)
    this.#staleTimer = setTimeout(() => phoneStore.get().registration === 'REGISTERED' && this.#socket.cut(), staleMs)
    this.#renewSoon()
    const isFirst = phoneStore.get().registration !== 'REGISTERED'
    changePhone({ registration: 'REGISTERED' })
    if (!isFirst) return
    if (this.#session && this.#hasLostSocket) this.#restoreAudio()
    else if (!this.#session) this.#bringBack()
    this.#hasLostSocket = false
  }

  /** After an answer, not from a repeated timer: in a background tab Chrome runs those once a minute. */
  #renewSoon(): void {
    clearTimeout(this.#renewTimer)
    if (!this.#ending.signal.aborted && !this.#isReleased) this.#renewTimer = setTimeout(() => this.#renew(), renewMs)
  }

  #renew(): void {
    if (phoneStore.get().registration !== 'REFUSED' && this.#socket.isConnected()) this.#ua.register()
  }

  #retry(): void {
    changePhone({ registration: 'CONNECTING' })
    if (this.#socket.isConnected()) this.#ua.register()
    else this.#socket.cut()
  }

  /** Its messages still go over the connection, and the call's network changes are mended while that lasts. */
  #release(): void {
    this.#isReleased = true
    clearTimeout(this.#renewTimer)
    clearTimeout(this.#staleTimer)
    this.#ua.unregister()
  }

  #receive(session: Session, from: { readonly user: string }): void {
    if (this.#session || this.#isReleased) return session.terminate({ status_code: 486 })
    this.#follow(session, { number: from.user, phase: 'RINGING' })
    if (takeOwnCall()) this.#answer()
  }

  #follow(session: Session, { number, phase }: { readonly number: string; readonly phase: 'RINGING' | 'RETURNING' }): void {
    this.#session = session
    const isMuted = () => phoneStore.get().call?.isMuted === true
    changePhone({ call: { id: session.id, number, phase, isMuted: false }, loss: null })
    session.on('confirmed', (event: IncomingAckEvent | OutgoingAckEvent) => {
      const confirmed = 'ack' in event && event.ack ? dialogOfAck(event.ack) : null
      if (confirmed) keepDialog({ ...confirmed, number, isMuted: isMuted() })
      changePhoneCall({ phase: 'TALKING' })
      this.#asks = 0
    })
    session.on('accepted', (event: IncomingEvent | OutgoingEvent) => {
      this.#accepted = session
      if ('response' in event && event.response) keepDialog({ ...dialogOfResponse(event.response), number, isMuted: isMuted() })
    })
    session.on('peerconnection', ({ peerconnection }) => this.#hear(peerconnection))
    if (session.connection) this.#hear(session.connection)
    session.on('getusermediafailed', () =>
      changePhone({ loss: phase === 'RETURNING' && readKeptDialog() ? 'MICROPHONE_RELOAD' : 'MICROPHONE' }),
    )
    session.on('ended', ({ cause }) => this.#end(session, cause === 'RTP Timeout' || cause === 'WebRTC Error'))
    session.on('failed', ({ cause }) => this.#hasToAskAgain(session, cause) || this.#end(session, false))
  }

  /**
   * The server was not asked for the call, or could not answer: the connection broke, or the microphone was refused. The call stays in the tab's
   * storage: the phone asks when it is registered again, or after another reload.
   */
  #hasToAskAgain(session: Session, cause: string | undefined): boolean {
    const isReturning = phoneStore.get().call?.phase === 'RETURNING' && !session.isEstablished() && readKeptDialog() !== null
    const loss = cause === undefined ? undefined : askAgain[cause]
    if (this.#session !== session || !isReturning || loss === undefined || this.#asks >= maxAsks) return false
    this.#session = null
    changePhone({ call: null, loss })
    return true
  }

  #end(session: Session, isNetwork: boolean): void {
    if (this.#session !== session) return
    this.#session = null
    forgetDialog()
    playRemote(null)
    const wasReturning = phoneStore.get().call?.phase === 'RETURNING'
    changePhone({ call: null, ...(isNetwork && { loss: 'NETWORK' }), ...(wasReturning && !isNetwork && { loss: 'RELOAD' }) })
  }

  #hear(connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ track }) => playRemote(new MediaStream([track])))
    connection.addEventListener('iceconnectionstatechange', () => {
      const { iceConnectionState } = connection
      if (iceConnectionState === 'disconnected' && phoneStore.get().registration === 'REGISTERED') this.#restoreAudio()
      if (iceConnectionState === 'connected') changePhoneCall({ phase: 'TALKING' })
    })
  }

  #answer(): void {
    const session = this.#session
    if (!session || session.isEstablished() || phoneStore.get().call?.phase !== 'RINGING') return
    changePhoneCall({ phase: 'CONNECTING' })
    session.answer({ mediaConstraints: microphoneConstraints() })
  }

  #hangUp(): Promise<boolean> {
    const session = this.#session
    if (!session || session.isEnded()) return Promise.resolve(false)
    // JsSIP puts the Call-ID first.
    const isOf = (message: string): boolean => {
      const { callId } = readSip(message)
      return callId !== '' && session.id.startsWith(callId)
    }
    const hasCall = this.#accepted === session
    // A call that the phone still asks for is another phone's in the eyes of the server.
    const isAsking = phoneStore.get().call?.phase === 'RETURNING' && !hasCall
    const isEnded = hasCall ? this.#socket.confirms((message) => (isOf(message) ? confirmsBye(message) : null), endMs) : !isAsking
    this.#terminate(session)
    return Promise.resolve(isEnded)
  }

  #terminate(session: Session): void {
    // Then it does not return: nothing is lost.
    if (phoneStore.get().call?.phase === 'RETURNING') changePhoneCall({ phase: 'CONNECTING' })
    session.terminate()
  }

  #setMuted(isMuted: boolean): void {
    if (!this.#session) return
    if (isMuted) this.#session.mute({ audio: true })
    else this.#session.unmute({ audio: true })
    keepMuted(isMuted)
    changePhoneCall({ isMuted })
  }

  /** A new way for the audio: the network has changed. */
  #restoreAudio(): void {
    if (!this.#session?.isEstablished()) return
    changePhoneCall({ phase: 'RETURNING' })
    this.#session.renegotiate({ rtcOfferConstraints: { iceRestart: true } }, () => changePhoneCall({ phase: 'TALKING' }))
  }

  /** The page was reloaded during a call, and the phone is not registered yet: it asks for the call as soon as it is. */
  #sayWaiting(): void {
    if (!this.#session && phoneStore.get().registration !== 'REGISTERED' && readKeptDialog()) changePhone({ loss: 'WAITING' })
  }

  /** The page was reloaded during a call: this phone asks the server to put it into the place of the one that is gone. */
  #bringBack(): void {
    const kept = readKeptDialog()
    if (!kept) return
    this.#asks += 1
    const session = this.#ua.call(kept.target, {
      mediaConstraints: microphoneConstraints(),
      extraHeaders: [`Replaces: ${kept.replaces}`, 'Require: replaces'],
    })
    this.#follow(session, { number: kept.number, phase: 'RETURNING' })
    // The customer must not hear what the agent says to a colleague.
    if (kept.isMuted) this.#setMuted(true)
    // The microphone comes first, and the person may have to allow it.
    const microphoneTimer = setTimeout(() => this.#session === session && changePhone({ loss: 'MICROPHONE' }), returnMs)
    session.on('failed', () => clearTimeout(microphoneTimer))
    session.on('sending', () => {
      clearTimeout(microphoneTimer)
      changePhone({ loss: null })
      const askedAt = Date.now()
      setTimeout(() => this.#session === session && !session.isEstablished() && this.#endSilence(session, askedAt), returnMs)
    })
  }

  /** No answer: from a server that is there, none will come; else the connection is dead, and the phone asks again over another one. */
  #endSilence(session: Session, askedAt: number): void {
    if (this.#confirmedAt < askedAt) return this.#socket.cut()
    forgetDialog()
    session.terminate()
  }
}

function isRefusal(response: { readonly status_code: number } | null): boolean {
  return response !== null && [401, 403, 404, 407].includes(response.status_code)
}
