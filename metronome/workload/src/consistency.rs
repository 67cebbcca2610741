//! Consistency levels.

use std::fmt;
use std::str::FromStr;

macro_rules! consistencies {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        /// A consistency level with its code (native_protocol_v5.spec, section 3).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Consistency { $($name = $code),* }

        const ALL: &[(Consistency, &str)] = &[$((Consistency::$name, $text)),*];
    };
}

consistencies! {
    Any = 0x0000, "ANY";
    One = 0x0001, "ONE";
    Two = 0x0002, "TWO";
    Three = 0x0003, "THREE";
    Quorum = 0x0004, "QUORUM";
    All = 0x0005, "ALL";
    LocalQuorum = 0x0006, "LOCAL_QUORUM";
    EachQuorum = 0x0007, "EACH_QUORUM";
    Serial = 0x0008, "SERIAL";
    LocalSerial = 0x0009, "LOCAL_SERIAL";
    LocalOne = 0x000A, "LOCAL_ONE";
}

impl Consistency {
    pub fn code(self) -> u16 {
        self as u16
    }

    /// Whether it is SERIAL or LOCAL_SERIAL, the levels of the Paxos round of a conditional statement.
    pub fn is_serial(self) -> bool {
        matches!(self, Consistency::Serial | Consistency::LocalSerial)
    }
}

impl FromStr for Consistency {
    type Err = String;

    /// Accepts any case, with `_` or `-` between words.
    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.to_ascii_uppercase().replace('-', "_");
        ALL.iter().find(|(_, name)| *name == wanted).map(|(level, _)| *level).ok_or_else(|| {
            let names: Vec<_> = ALL.iter().map(|(_, name)| *name).collect();
            format!("unknown consistency level '{text}'; use one of {}", names.join(", "))
        })
    }
}

impl fmt::Display for Consistency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = ALL.iter().find(|(level, _)| level == self).expect("every level has a name");
        out.write_str(name)
    }
}
