module auth-service/authservice

go 1.19
