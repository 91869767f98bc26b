import { useNow } from './now.ts'

/** How long since a moment: `0:07`, `12:40`, `1:05:09`. */
export function Timer({ since }: { readonly since: string }) {
  const seconds = Math.max(0, Math.floor((useNow() - Date.parse(since)) / 1_000))
  return (
    <time className="numbers" dateTime={`PT${seconds}S`}>
      {clockText(seconds)}
    </time>
  )
}

export function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const padded = (value: number): string => String(value).padStart(2, '0')
  const rest = `${hours > 0 ? padded(minutes) : minutes}:${padded(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
