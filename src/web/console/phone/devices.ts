/** Which microphone and loudspeaker the person chose on this device. Empty: those of the system. */
export type DeviceKind = 'audioinput' | 'audiooutput'

const keyOf = (kind: DeviceKind): string => `console-${kind}`

export function chosenDevice(kind: DeviceKind): string {
  return localStorage.getItem(keyOf(kind)) ?? ''
}

export function chooseDevice(kind: DeviceKind, id: string): void {
  localStorage.setItem(keyOf(kind), id)
}

export function microphoneConstraints(): MediaStreamConstraints {
  const id = chosenDevice('audioinput')
  // A device that was unplugged is no reason to fail.
  return { audio: id === '' ? true : { deviceId: { ideal: id } }, video: false }
}

/** Browsers without `setSinkId` use the loudspeaker of the system. */
export async function applyLoudspeaker(audio: HTMLAudioElement): Promise<void> {
  await audio.setSinkId?.(chosenDevice('audiooutput')).catch(() => undefined)
}
