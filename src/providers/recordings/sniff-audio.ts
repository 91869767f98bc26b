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

/** The audio format of these first bytes; null if they are not audio. Ignores Content-Type, because servers often send a wrong one. */
export function audioTypeOf(head: Buffer): string | null {
  return kinds.find(({ fits }) => fits(head))?.contentType ?? null
}

/** MP3 and AAC frames start with eleven set bits. A text in UTF-16 starts with FF FE, which is a frame of Layer I: nobody records with it. */
function isFrameSync(head: Buffer): boolean {
  const second = head[1] ?? 0
  return head.length >= 4 && head[0] === 0xff && second >= 0xe0 && second < 0xfe
}
