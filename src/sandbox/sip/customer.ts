import type * as DataChannel from 'node-datachannel'

/** The other side of a call: real WebRTC, which repeats what it hears. */
export type Customer = Disposable & {
  offer(): Promise<string>
  /** The answer to the offer. Throws if it is none. */
  accept(sdp: string): void
  /** A phone that offers its audio again, or another one in its place, gets a connection of its own. Throws if the offer cannot be taken. */
  answer(sdp: string): Promise<string>
  /** How many packets of sound it has received. */
  received(): number
}

export type CustomerLink = {
  /** Whether the other side hears something now: a call on hold is silent. */
  readonly isAudible: () => boolean
  /** Nothing has come from the phone for `patienceMs`. */
  readonly onLost: () => void
  readonly patienceMs: () => number
}

/** What is said comes back after so long, so that a person hears it as an answer. */
const echoMs = 1_000
const opus = 111

type Library = typeof DataChannel
type Peer = { readonly connection: DataChannel.PeerConnection; readonly describe: (type: 'offer' | 'answer') => Promise<string> }

/** Null if this machine has no library for it: the package is optional. */
export async function loadCustomers(): Promise<((link: CustomerLink) => Customer) | null> {
  const library = await import('node-datachannel').catch(() => null)
  return library && ((link) => createCustomer(library, link))
}

function createCustomer(library: Library, link: CustomerLink): Customer {
  let received = 0
  let peer: Peer | null = null
  let remote = ''
  let losing: NodeJS.Timeout | undefined
  const begin = (mid: string): Peer => {
    clearTimeout(losing)
    peer?.connection.close()
    const own = openPeer(library, mid, () => {
      received += 1
      return link.isAudible()
    })
    own.connection.onStateChange((state) => {
      if (peer !== own) return
      clearTimeout(losing)
      if (state !== 'connected' && state !== 'connecting') losing = setTimeout(link.onLost, link.patienceMs()).unref()
    })
    peer = own
    return own
  }
  return {
    offer: async () => withoutCandidates(await begin('0').describe('offer')),
    accept(sdp) {
      remote = credentialOf(sdp)
      peer?.connection.setRemoteDescription(sdp, 'answer')
    },
    async answer(sdp) {
      // The library cannot restart ICE, but a new connection can: also in the eyes of the phone, if that restarts it.
      if (credentialOf(sdp) === remote) throw new Error('the offer has no ICE restart')
      remote = credentialOf(sdp)
      const own = begin(/^a=mid:(\S+)/m.exec(sdp)?.[1] ?? '0')
      // The phone stays the client of DTLS, as in its first answer.
      own.connection.setRemoteDescription(sdp.replaceAll('a=setup:actpass', 'a=setup:active'), 'offer')
      return own.describe('answer')
    },
    received: () => received,
    [Symbol.dispose]() {
      clearTimeout(losing)
      const last = peer
      peer = null
      last?.connection.close()
    },
  }
}

/** `onPacket`: a packet of sound has come; true if it is to be repeated. */
function openPeer({ PeerConnection, Audio }: Library, mid: string, onPacket: () => boolean): Peer {
  const connection = new PeerConnection('customer', { iceServers: [], disableAutoNegotiation: true })
  const source = Math.floor(Math.random() * 2 ** 31)
  const audio = new Audio(mid, 'SendRecv')
  audio.addOpusCodec(opus)
  audio.addSSRC(source, 'customer')
  const track = connection.addTrack(audio)
  track.onMessage((message: Buffer) => {
    // RTP (RFC 3550): the type is in the second byte, the source in bytes 8 to 11. Others are RTCP.
    if (message.length < 12 || (message.readUInt8(1) & 0x7f) !== opus || !onPacket()) return
    const packet = Buffer.from(message)
    packet.writeUInt32BE(source, 8)
    setTimeout(() => track.isOpen() && track.sendMessageBinary(packet), echoMs).unref()
  })
  const gathered = new Promise<void>((resolve) =>
    connection.onGatheringStateChange((state) => {
      if (state === 'complete') resolve()
    }),
  )
  return {
    connection,
    async describe(type) {
      connection.setLocalDescription(type)
      await gathered
      return connection.localDescription()?.sdp ?? ''
    },
  }
}

/**
 * The customer's side asks first, once it has the phone's answer: libdatachannel 0.33 closes a connection whose phone asks before
 * its answer is read ("Got a remote candidate without ICE transport"), and then the call would end as it is answered.
 */
function withoutCandidates(sdp: string): string {
  const isCandidate = (line: string): boolean => line.startsWith('a=candidate:') || line === 'a=end-of-candidates'
  return sdp
    .split('\r\n')
    .filter((line) => !isCandidate(line))
    .join('\r\n')
}

/** New with each ICE restart, and with each phone. */
function credentialOf(sdp: string): string {
  return /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1] ?? ''
}
