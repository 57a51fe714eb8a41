/** Whether this screen reaches its device. `connecting` is used only before the first connection. */
export type LinkState = 'connecting' | 'up' | 'lost';
