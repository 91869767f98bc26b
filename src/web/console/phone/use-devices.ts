import { useCallback, useEffect, useState } from 'react'

/** Microphones and loudspeakers as the browser names them; it names them only to a page that may use the microphone. */
export function useDevices(): {
  readonly devices: readonly MediaDeviceInfo[]
  /** Both microphone and notifications. */
  readonly isAllowed: boolean
  readonly ask: () => void
} {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  const read = useCallback(() => void navigator.mediaDevices?.enumerateDevices().then(setDevices, () => undefined), [])
  useEffect(() => {
    read()
    navigator.mediaDevices?.addEventListener('devicechange', read)
    return () => navigator.mediaDevices?.removeEventListener('devicechange', read)
  }, [read])
  /** Asks for the microphone and for notifications, before the first call needs them. */
  const ask = useCallback(() => {
    void Notification.requestPermission().then(read, () => undefined)
    void navigator.mediaDevices
      ?.getUserMedia({ audio: true })
      .then((stream) => stream.getTracks().forEach((track) => track.stop()))
      .then(read, () => undefined)
  }, [read])
  const mayRecord = devices.some(({ kind, label }) => kind === 'audioinput' && label !== '')
  return { devices, isAllowed: mayRecord && Notification.permission === 'granted', ask }
}
