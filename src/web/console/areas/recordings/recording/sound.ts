import { useCallback, useEffect, useState } from 'react'
import { service } from '../../../data/service-client.ts'
import type { Player } from './player.ts'

/** The loudness of each stretch of the recording, 0 to 1. Null: the file is too long to measure here, or the browser cannot read it. */
export type Peaks = readonly number[] | null
export type Sound =
  /** `share`: how much has come, 0 to 1; null if the length is not known. */
  | { readonly kind: 'LOADING'; readonly share: number | null }
  /** `url`: of the file in memory. */
  | { readonly kind: 'READY'; readonly url: string; readonly peaks: Peaks }
  | { readonly kind: 'FAILED'; readonly error: unknown }

/** Half an hour of telephone sound without compression. */
const mostMeasuredBytes = 64 * 1024 * 1024
const stretches = 900
/** Enough to see who speaks when; the browser converts to it, so that long calls need little memory. */
const measuredRate = 8_000

/** Fetches the recording with the member's token, gives it to the player, and measures it. Null: not yet. */
export function useSound(callId: string | null, player: Player): { readonly sound: Sound; readonly retry: () => void } {
  const [sound, setSound] = useState<Sound>({ kind: 'LOADING', share: null })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (callId === null) return
    const leaving = new AbortController()
    let url: string | null = null
    const load = async (): Promise<void> => {
      setSound({ kind: 'LOADING', share: null })
      const blob = await fetchSound(callId, leaving.signal, (share) => setSound({ kind: 'LOADING', share }))
      leaving.signal.throwIfAborted()
      url = URL.createObjectURL(blob)
      player.load(url)
      setSound({ kind: 'READY', url, peaks: null })
      const peaks = await measured(blob)
      if (!leaving.signal.aborted) setSound({ kind: 'READY', url, peaks })
    }
    load().catch((error: unknown) => {
      if (!leaving.signal.aborted) setSound({ kind: 'FAILED', error })
    })
    return () => {
      leaving.abort()
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [callId, player, tries])
  return { sound, retry: useCallback(() => setTries((before) => before + 1), []) }
}

async function fetchSound(callId: string, signal: AbortSignal, onShare: (share: number) => void): Promise<Blob> {
  const response = await service.rest('GET /api/recordings/{callId}/audio', { path: { callId } }, { signal })
  const [length, type] = [Number(response.headers.get('content-length')), response.headers.get('content-type') ?? '']
  if (!response.body || !(length > 0)) return response.blob()
  const parts: BlobPart[] = []
  let received = 0
  let shown = 0
  // Safari cannot iterate a stream.
  const reader = response.body.getReader()
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    parts.push(value)
    received += value.byteLength
    const share = Math.floor((20 * received) / length) / 20
    if (share > shown) onShare((shown = share))
  }
  return new Blob(parts, { type })
}

async function measured(blob: Blob): Promise<Peaks> {
  if (blob.size > mostMeasuredBytes) return null
  try {
    const decoded = await new OfflineAudioContext(1, 1, measuredRate).decodeAudioData(await blob.arrayBuffer())
    return peaksOf(decoded)
  } catch {
    return null
  }
}

/** The mean power of each stretch: it shows syllables and pauses better than the loudest sample does. */
function peaksOf(sound: AudioBuffer): readonly number[] {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, channel) => sound.getChannelData(channel))
  const width = sound.length / stretches
  const powers = Array.from({ length: stretches }, (_, index) => {
    const [from, to] = [Math.floor(index * width), Math.max(Math.floor(index * width) + 1, Math.floor((index + 1) * width))]
    let sum = 0
    for (const samples of channels) for (let at = from; at < to; at += 1) sum += (samples[at] ?? 0) ** 2
    return Math.sqrt(sum / (to - from))
  })
  // One loud click must not make everything else flat.
  const loud = powers.toSorted((a, b) => a - b)[Math.floor(stretches * 0.97)] ?? 1
  return powers.map((power) => Math.min(1, power / (loud || 1)))
}
