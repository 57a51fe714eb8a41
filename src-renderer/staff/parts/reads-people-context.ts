/** Whether an unnamed lead can still get a name, for everything on the staff pages that mentions one. */
import { createContext } from 'react';

/** False if this device reads no people. */
export const ReadsPeopleContext = createContext(true);
