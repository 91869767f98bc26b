import { useCallback, useEffect, useState } from 'react'

/** Safari on an iPhone has none in a tab, nor has a web view of Android. */
const hasNotifications = 'Notification' in globalThis

/** Microphones and loudspeakers as the browser names them; it names them only to a page that may use the microphone. */
export function useDevices(): {
  readonly devices: readonly MediaDeviceInfo[]
  /** The microphone, and there is nothing to ask about notifications: they are allowed, denied, or the browser has none. */
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
    if (hasNotifications) void Notification.requestPermission().then(read, () => undefined)
    void navigator.mediaDevices
      ?.getUserMedia({ audio: true })
      .then((stream) => stream.getTracks().forEach((track) => track.stop()))
      .then(read, () => undefined)
  }, [read])
  const mayRecord = devices.some(({ kind, label }) => kind === 'audioinput' && label !== '')
  return { devices, isAllowed: mayRecord && !(hasNotifications && Notification.permission === 'default'), ask }
}
