import { useCallback, useEffect, useState } from 'react'

/** Microphones and loudspeakers as the browser names them; it names them only to a page that may use the microphone. */
export function useDevices(): { readonly devices: readonly MediaDeviceInfo[]; readonly ask: () => void } {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  const read = useCallback(() => void navigator.mediaDevices?.enumerateDevices().then(setDevices, () => undefined), [])
  useEffect(() => {
    read()
    navigator.mediaDevices?.addEventListener('devicechange', read)
    return () => navigator.mediaDevices?.removeEventListener('devicechange', read)
  }, [read])
  /** Asks for the microphone and for notifications, before the first call needs them. */
  const ask = useCallback(() => {
    void Notification.requestPermission().catch(() => undefined)
    void navigator.mediaDevices
      ?.getUserMedia({ audio: true })
      .then((stream) => stream.getTracks().forEach((track) => track.stop()))
      .then(read, () => undefined)
  }, [read])
  return { devices, ask }
}
