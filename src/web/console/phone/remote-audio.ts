import { applyLoudspeaker } from './devices.ts'

const audio = new Audio()
audio.autoplay = true

/** Plays what the other side says. Null: silence. */
export function playRemote(stream: MediaStream | null): void {
  audio.srcObject = stream
  if (stream) void applyLoudspeaker(audio)
}
