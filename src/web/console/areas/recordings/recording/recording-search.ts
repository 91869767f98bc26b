/** `q`: words to mark in the transcript. `t`: the second at which to begin. */
export type RecordingSearch = { readonly q?: string; readonly t?: number }

export function recordingSearch({ q, t }: Readonly<Record<string, unknown>>): RecordingSearch {
  const words = typeof q === 'number' ? String(q) : q
  return {
    ...(typeof words === 'string' && words !== '' && { q: words.slice(0, 300) }),
    ...(typeof t === 'number' && Number.isFinite(t) && t >= 0 && { t }),
  }
}
