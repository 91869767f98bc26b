/** The number of first bytes that identify the format. */
export const sniffedBytes = 512

type Kind = { readonly contentType: string; readonly fits: (head: Buffer) => boolean }

const at = (head: Buffer, from: number, text: string): boolean => head.toString('latin1', from, from + text.length) === text

/** The formats of telephony providers, by their first bytes. */
const kinds: readonly Kind[] = [
  { contentType: 'audio/wav', fits: (head) => (at(head, 0, 'RIFF') || at(head, 0, 'RF64')) && at(head, 8, 'WAVE') },
  { contentType: 'audio/mpeg', fits: (head) => at(head, 0, 'ID3') || isFrameSync(head) },
  { contentType: 'audio/ogg', fits: (head) => at(head, 0, 'OggS') },
  { contentType: 'audio/flac', fits: (head) => at(head, 0, 'fLaC') },
  { contentType: 'audio/mp4', fits: (head) => at(head, 4, 'ftyp') },
  { contentType: 'audio/webm', fits: (head) => head.length >= 4 && head.readUInt32BE(0) === 0x1a_45_df_a3 },
  { contentType: 'audio/amr', fits: (head) => at(head, 0, '#!AMR') },
  { contentType: 'audio/aiff', fits: (head) => at(head, 0, 'FORM') && at(head, 8, 'AIF') },
  { contentType: 'audio/basic', fits: (head) => at(head, 0, '.snd') },
]

export type SniffedAudio = { readonly contentType: string; readonly channels: number }

/** The audio format of these first bytes; null if they are not audio. Ignores Content-Type, because servers often send a wrong one. */
export function sniffAudio(head: Buffer): SniffedAudio | null {
  const kind = kinds.find(({ fits }) => fits(head))
  return kind ? { contentType: kind.contentType, channels: kind.contentType === 'audio/wav' ? waveChannels(head) : 1 } : null
}

/** MP3 and AAC frames start with eleven set bits. */
function isFrameSync(head: Buffer): boolean {
  return head.length >= 4 && head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 && head[1] !== 0xff
}

function waveChannels(head: Buffer): number {
  const format = head.indexOf('fmt ', 12, 'latin1')
  return format > 0 && head.length >= format + 12 ? head.readUInt16LE(format + 10) : 1
}
