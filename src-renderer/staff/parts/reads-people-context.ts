/** Whether an unnamed lead can still get a name. Used wherever the staff pages mention an unnamed lead. */
import { createContext } from 'react';

/** False if this device reads no people. */
export const ReadsPeopleContext = createContext(true);
