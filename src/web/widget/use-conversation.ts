import { useEffect, useState } from 'preact/hooks'
import type { Conversation, ConversationState } from './conversation.ts'

export function useConversation(conversation: Conversation): ConversationState {
  const [state, setState] = useState(conversation.state())
  useEffect(() => {
    const update = (): void => setState(conversation.state())
    // The effect runs after the first paint: earlier changes have had no listener.
    update()
    return conversation.subscribe(update)
  }, [conversation])
  return state
}

export function useIsOnline(): boolean {
  const [isOnline, setIsOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = (): void => setIsOnline(navigator.onLine)
    update()
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  return isOnline
}
