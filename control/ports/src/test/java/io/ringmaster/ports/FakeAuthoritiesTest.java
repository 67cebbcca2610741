package io.ringmaster.ports;

import io.ringmaster.model.authority.PublicKeyPem;

class FakeAuthoritiesTest extends AuthoritiesContract {
    private final FakeAuthorities authorities = new FakeAuthorities(DC1);

    @Override
    protected Authorities open() {
        return authorities;
    }

    @Override
    protected PublicKeyPem publicKey() {
        return new PublicKeyPem("public key");
    }
}
