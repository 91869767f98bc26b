import type { Page } from 'playwright-core'
import type { SipMedia } from './sip-server.ts'

/** A customer's telephone: real WebRTC in a page of the browser, with its test sound. */
export type SipCustomer = SipMedia & {
  /** How many packets of sound it has got from the agent. */
  received(): Promise<number>
}

const script = `{
  const ready = (pc) => new Promise((done) => {
    if (pc.iceGatheringState === 'complete') done()
    pc.addEventListener('icegatheringstatechange', () => pc.iceGatheringState === 'complete' && done())
  })
  let pc, stream
  const begin = async () => {
    stream ??= await navigator.mediaDevices.getUserMedia({ audio: true })
    pc?.close()
    pc = new RTCPeerConnection()
    for (const track of stream.getTracks()) pc.addTrack(track, stream)
  }
  window.customer = {
    async offer() {
      await begin()
      await pc.setLocalDescription()
      await ready(pc)
      return pc.localDescription.sdp
    },
    accept: (sdp) => pc.setRemoteDescription({ type: 'answer', sdp }),
    async answer(sdp, isNew) {
      if (isNew) await begin()
      await pc.setRemoteDescription({ type: 'offer', sdp })
      await pc.setLocalDescription()
      await ready(pc)
      return pc.localDescription.sdp
    },
    async received() {
      let packets = 0
      for (const report of (await pc.getStats()).values()) if (report.type === 'inbound-rtp') packets += report.packetsReceived
      return packets
    },
  }
}`

/** `page`: of an origin that may use the microphone. */
export async function openSipCustomer(page: Page): Promise<SipCustomer> {
  await page.evaluate(script)
  let fingerprint = ''
  const ask = (call: string): Promise<string> => page.evaluate<string>(`customer.${call}`)
  return {
    offer: () => ask('offer()'),
    async accept(sdp) {
      fingerprint = fingerprintOf(sdp)
      await page.evaluate(`customer.accept(${JSON.stringify(sdp)})`)
    },
    async answer(sdp) {
      // Another certificate: another phone, to which a connection of its own belongs.
      const isNew = fingerprintOf(sdp) !== fingerprint
      fingerprint = fingerprintOf(sdp)
      return ask(`answer(${JSON.stringify(sdp)}, ${isNew})`)
    },
    received: () => page.evaluate<number>('customer.received()'),
  }
}

function fingerprintOf(sdp: string): string {
  return /a=fingerprint:(.+)/.exec(sdp)?.[1] ?? ''
}
